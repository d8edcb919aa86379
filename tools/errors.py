"""The root of every mistake that a user can mend."""


class UserError(Exception):
    """Something that a user gave is wrong; the message names the file, the place and the cure in one line.

    Subclasses stand beside the code that knows the facts. The command line shows the message and exits with 2.
    """
