/**
 * What browsers may do with the pages: run and load what this server has, and nothing else; no text becomes a script, and no page of others shows one of ours. Styles are
 * files too: what scripts set goes by the object model, which no policy restricts.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Marks in the editor are pictures in its styles.
  "img-src 'self' data:",
  "connect-src 'self'",
  // Views of plugins; a frame leads nowhere else.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** For everything that the plugin answers. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** For what is of one moment or for one user. */
export const noStore: Readonly<Record<string, string>> = {'Cache-Control': 'no-store'};

/** For files that frames without an origin load: they are the same for everybody, and no secrets. */
export const sharedHeaders: Readonly<Record<string, string>> = {'Access-Control-Allow-Origin': '*'};

/**
 * For the document in which a view of a plugin runs, also if somebody opens it alone: its origin is of nobody, it sends nothing, and only the console shows it.
 *
 * @param origin of the console
 */
export function frameHeaders(origin: string): Readonly<Record<string, string>> {
  const {'X-Frame-Options': _deny, ...common} = securityHeaders;
  const framed = [
    "default-src 'none'",
    `script-src ${origin}`,
    `style-src ${origin}`,
    `img-src ${origin} data:`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origin}`,
    'sandbox allow-scripts',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return {...common, 'Content-Security-Policy': framed};
}
