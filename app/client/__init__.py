"""A client's side of ``erma.v1``, for programs and tests. It knows the wire alone, nothing of the server."""
