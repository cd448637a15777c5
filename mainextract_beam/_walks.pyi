LXML: str
LIBXML: int
