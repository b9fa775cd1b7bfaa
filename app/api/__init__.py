"""HTTP and WebSocket endpoints, wire schemas, error codes. Thin: what happens is decided downstairs."""
