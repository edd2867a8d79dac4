import {fileURLToPath} from 'node:url';
import type {ServerOptions} from '@orch-api/orch/testing';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Settings with which the examples' types and those of `fixtures/semantics` are served. */
export const withFixtures: ServerOptions = {
  // Owners are invented, and what a deletion leaves behind is looked at.
  controllers: ['*', '-garbagecollector'],
  plugins: [folder('fixtures/semantics'), folder('../../examples/resource-schema-only'), folder('../../examples/resource-with-strategy')],
};

/** Group versions of those types. */
export const widgetsVersion = 'examples.example.com/v1';
export const reservationsVersion = 'booking.example.com/v1';
export const semanticsVersion = 'semantics.example.com/v1';
export const gadgets = `/apis/${semanticsVersion}/gadgets`;

/** An object as tests read it. */
export interface ReadObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ReadMeta;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface ReadMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly object[];
}

/** A list as tests read it. */
export interface ReadList {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number};
  readonly items: readonly ReadObject[];
}

/** A ConfigMap to send. */
export function configMap(name: string, data: Record<string, string> = {}, metadata: object = {}) {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, ...metadata}, data};
}

export function widget(name: string, spec: object = {size: 'small'}, metadata: object = {}) {
  return {apiVersion: widgetsVersion, kind: 'Widget', metadata: {name, ...metadata}, spec};
}

let names = 0;

/** A Gadget to send, with a name of its own: gadgets are cluster-scoped. */
export function gadget(spec: object = {}, metadata: object = {}) {
  return {apiVersion: semanticsVersion, kind: 'Gadget', metadata: {name: uniqueName('gadget'), ...metadata}, spec: {text: 'some', ...spec}};
}

/** A name that no other test of the file has. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${++names}`;
}

export function namesOf({items}: ReadList): string[] {
  return items.map(({metadata}) => metadata.name);
}

/** An object of a built-in type as lists have it: they say the type for all of their items. */
export function withoutType<T extends Partial<Pick<ReadObject, 'apiVersion' | 'kind'>>>(object: T): T {
  const {apiVersion: _apiVersion, kind: _kind, ...members} = object;
  return members as T;
}
