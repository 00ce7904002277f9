"""What refuses a declaration: options that cannot be meant, findings of a whole workflow, and changes after an App has taken it."""
