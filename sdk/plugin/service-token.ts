import type {InjectionToken} from 'tsyringe';

/**
 * The token of a service that one plugin provides to others. Both sides make it by the name of the service, most simply by importing it from a module of the plugin that provides it:
 * `export const Calendar = serviceToken<Calendar>('rooms.example.com/calendar')`.
 *
 * @param name as the manifest has it under `provides` and `requires`
 */
export function serviceToken<T extends object>(name: string): ServiceToken<T> {
  // A registered symbol, so that copies of the module in several packages make the same one.
  return Symbol.for(`${prefix}${name}`) as unknown as ServiceToken<T>;
}

/** A token that says which service it stands for. */
export type ServiceToken<T extends object> = InjectionToken<T> & {readonly service?: T};

const prefix = 'orch.service.';

/** The name of the service that a token stands for. */
export function serviceName(token: ServiceToken<never>): string {
  return String((token as unknown as symbol).description).slice(prefix.length);
}

/** Whether a value is a token that `serviceToken` made. */
export function isServiceToken(value: unknown): boolean {
  return typeof value === 'symbol' && (value.description ?? '').startsWith(prefix);
}
