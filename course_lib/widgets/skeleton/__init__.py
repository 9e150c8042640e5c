"""What every widget is made of: the front end, the controls, the arguments of a call as controls."""
