import 'reflect-metadata';
import {inject as injectToken, type InjectionToken} from 'tsyringe';

/**
 * Says what a constructor parameter is given: `constructor(@inject(Tokens.Logger) logger: Logger)`. The compiler refuses a parameter whose type
 * cannot take the token's value.
 *
 * @throws TypeError for a token that there is not
 */
export function inject<T>(
  token: InjectionToken<T>,
): <C extends abstract new (...parameters: never[]) => object, const I extends number>(
  target: C,
  key: undefined,
  index: [T] extends [ConstructorParameters<C>[I]] ? I : never,
) => void {
  if (token === undefined || token === null) throw new TypeError(`@inject was given ${String(token)}: there is no such token`);
  return injectToken(token) as never;
}
