"""A server made with FastMCP that wants a token: `guarded.py PORT SECONDS [ISSUER]`.

With an issuer it takes the issuer's tokens, which it reads itself. Without one it gives them itself, to everybody, and
they are good for so many seconds.
"""

import sys

from fastmcp import FastMCP
from fastmcp.server.auth import RemoteAuthProvider, restrict_tag
from fastmcp.server.auth.auth import ClientRegistrationOptions, RevocationOptions
from fastmcp.server.auth.providers import in_memory
from fastmcp.server.auth.providers.jwt import JWTVerifier
from fastmcp.server.dependencies import get_access_token
from fastmcp.server.middleware.authorization import AuthMiddleware

port, seconds, *issuers = sys.argv[1:]
base = f"http://127.0.0.1:{port}"
if issuers:
    [issuer] = issuers
    reader = JWTVerifier(
        jwks_uri=f"{issuer}/jwks", issuer=issuer, audience=f"{base}/mcp", required_scopes=["read"]
    )
    auth = RemoteAuthProvider(token_verifier=reader, authorization_servers=[issuer], base_url=base)
else:
    in_memory.DEFAULT_ACCESS_TOKEN_EXPIRY_SECONDS = int(seconds)
    auth = in_memory.InMemoryOAuthProvider(
        base_url=base,
        required_scopes=["read"],
        client_registration_options=ClientRegistrationOptions(enabled=True, valid_scopes=["read", "write"]),
        revocation_options=RevocationOptions(enabled=True),
    )

server = FastMCP(
    "guarded", auth=auth, middleware=[AuthMiddleware(auth=restrict_tag("writes", scopes=["write"]))]
)


@server.tool
def who() -> str:
    """Who asks."""
    token = get_access_token()
    return token.claims.get("sub") or " ".join(sorted(token.scopes))


@server.tool(tags={"writes"})
def writes() -> str:
    """Needs a scope of its own."""
    return "wrote"


server.run("http", show_banner=False, host="127.0.0.1", port=int(port))
