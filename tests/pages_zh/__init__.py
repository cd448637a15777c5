"""Long Chinese pages of many structures, each with the text that is its content."""
