"""Tables, migrations, machines that change, and databases that are away."""
