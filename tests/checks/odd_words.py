"""Words of an odd kind, as an answer may hand them back: no comparison may trust them."""


class WordThatEqualsAll(str):
    """A word that equals every other."""

    __hash__ = str.__hash__

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False
