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
