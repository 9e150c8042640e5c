"""What makes the derived files of this repository; CONTRIBUTING.md has the table. Needs the installed environment."""
