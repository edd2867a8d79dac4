import type {ConfigSchema} from '../manifest.js';

/**
 * The type of the settings that a plugin's `config` schema describes. Settings with a default, and required ones, are always there. What the
 * keywords `type`, `enum`, `items`, `properties`, `required` and `additionalProperties` do not describe is `unknown`.
 */
export type SettingsOf<S extends ConfigSchema> = ObjectOf<S>;

type ValueOf<S> = S extends {readonly enum: readonly (infer E)[]}
  ? E
  : S extends {readonly type: 'string'}
    ? string
    : S extends {readonly type: 'integer' | 'number'}
      ? number
      : S extends {readonly type: 'boolean'}
        ? boolean
        : S extends {readonly type: 'array'}
          ? readonly (S extends {readonly items: infer I} ? ValueOf<I> : unknown)[]
          : S extends {readonly type: 'object'}
            ? ObjectOf<S>
            : unknown;

type ObjectOf<S> = S extends {readonly properties: infer P}
  ? Flat<
      {readonly [K in Present<P, RequiredOf<S>>]: ValueOf<P[K]>} & {
        readonly [K in Exclude<keyof P, Present<P, RequiredOf<S>>>]?: ValueOf<P[K]>;
      }
    >
  : S extends {readonly additionalProperties: infer A extends object}
    ? Readonly<Record<string, ValueOf<A>>>
    : Readonly<Record<string, unknown>>;

type RequiredOf<S> = S extends {readonly required: readonly (infer R)[]} ? R : never;

type Present<P, R> = {[K in keyof P]: P[K] extends {readonly default: unknown} ? K : K extends R ? K : never}[keyof P];

type Flat<T> = {[K in keyof T]: T[K]};
