/** The issuer that a signed token (JWT) names; undefined for other strings. The signature is not verified, so this proves nothing. */
export function tokenIssuer(token: string): string | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(parts[1]!, 'base64url').toString('utf8')) as {iss?: unknown} | null;
    return typeof claims?.iss === 'string' ? claims.iss : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
