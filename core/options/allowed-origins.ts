import type {AllowedOrigins} from '../http/filters/check-origin.js';

/**
 * The origins that regular expressions (of Go's syntax) allow, which match anywhere as Kubernetes' do.
 *
 * @throws Error in one sentence for an expression that cannot be understood
 */
export async function allowedOrigins(expressions: readonly string[]): Promise<AllowedOrigins> {
  if (expressions.length === 0) return {some: false, allow: () => false};
  const {Regexp, RegexpSyntaxError} = await import('../api/schema/regexp.js');
  const compiled = expressions.map((text) => {
    try {
      return new Regexp(text);
    } catch (error) {
      if (!(error instanceof RegexpSyntaxError)) throw error;
      throw new Error(`--cors-allowed-origins: ${JSON.stringify(text)} is not a regular expression: ${error.message}`, {cause: error});
    }
  });
  return {some: true, allow: (origin) => compiled.some((one) => one.test(origin))};
}
