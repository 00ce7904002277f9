"""What stands beside Interlock: correct programs that write the same columns, without guards, chain or questions."""
