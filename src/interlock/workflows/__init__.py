"""The workflows that come with Interlock; the engine never imports them."""
