/**
 * The name of the cookie for an origin. Browsers send cookies to all ports of a host, so servers on several ports need several names. With the prefix they
 * take it over https only, for the whole host and from it alone.
 */
export function cookieName(origin: string): string {
  return `__Host-orch-console-${new URL(origin).port || '443'}`;
}

/** The value of a cookie; undefined if there is none, or several. @param values of the header `Cookie` */
export function cookieOf(values: readonly string[], name: string): string | undefined {
  const found = values
    .flatMap((value) => value.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return found.length === 1 ? found[0]!.slice(name.length + 1) : undefined;
}

/** A header `Set-Cookie`; an empty value takes the cookie away. @param seconds for which it lasts */
export function setCookie(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${value === '' ? 0 : seconds}; Secure; HttpOnly; SameSite=Strict`;
}
