import {frozenCopy} from '../../sdk/objects/frozen-copy.js';
import type {AdmissionController, AdmissionRequest} from '../../sdk/contracts/admission.js';
import type {ApiObject} from '../../sdk/objects/api-object.js';
import {StatusError} from '../../sdk/errors/status-error.js';
import {checks as t} from './checks.js';
import type {ConformanceTest} from './conformance-test.js';
import {withoutOneMember} from '../../sdk/values/without-one-member.js';

/** A write; what is left out is that of creating the ConfigMap `settings` in `default`. */
export type AdmissionCase = Partial<AdmissionRequest>;

export interface AdmissionCases<C = unknown> {
  /** Makes the controller, once a test; started if it has a `start`. It gets what the runner gives to a test. */
  readonly create: (context: C) => AdmissionController | Promise<AdmissionController>;
  /** Writes that pass, and what becomes of their objects if `admit` changes them. */
  readonly admitted: readonly (AdmissionCase & {readonly becomes?: ApiObject})[];
  /** Writes that are refused, and with which message. */
  readonly refused?: readonly (AdmissionCase & {readonly message?: RegExp})[];
}

/** The suite that every `AdmissionController` passes that does not use `request.patch`: without a server nothing can be patched. */
export function admissionConformance<C = unknown>({create, admitted, refused = []}: AdmissionCases<C>): ConformanceTest<C>[] {
  const test = (title: string, body: (controller: AdmissionController) => Promise<void>): ConformanceTest<C> => ({
    title,
    alone: false,
    timeoutMillis: 30_000,
    run: async (context) => body(await create(context)),
  });
  return [
    test('what may be written passes, as it should become', async (controller) => {
      t.true(admitted.length + refused.length > 0, 'the suite needs a write');
      for (const {becomes, ...write} of admitted) {
        const object = await admit(controller, write);
        if (becomes) t.deepEqual(object, becomes);
        await controller.validate?.(requestOf(write, frozenCopy(object)));
      }
    }),
    test('what may not be written is refused with a status of 4xx', async (controller) => {
      for (const {message, ...write} of refused) {
        const error = await t.throwsAsync(async () => controller.validate?.(requestOf(write, frozenCopy(await admit(controller, write)))));
        t.true(StatusError.is(error) && error.code >= 400 && error.code < 500, `it should throw forbidden(…), not ${String(error)}`);
        if (message) t.true(message.test(error.message), `the message is ${error.message}`);
      }
    }),
    test('admitting twice changes no more than admitting once', async (controller) => {
      for (const {becomes: _, ...write} of admitted) {
        const once = await admit(controller, write);
        const twice = await admit(controller, {...write, object: structuredClone(once), round: 1});
        t.deepEqual(twice, once);
      }
    }),
    test('an admit that answers false has changed nothing', async (controller) => {
      for (const {becomes: _, ...write} of admitted) {
        const request = requestOf(write, structuredClone(objectOf(write)));
        const before = structuredClone(request.object);
        if ((await controller.admit?.(request)) === false) t.deepEqual(request.object, before);
      }
    }),
    test('an object that lacks any of its members passes or is refused, and is no exception', async (controller) => {
      for (const write of [...admitted, ...refused]) {
        const object = objectOf(write);
        if (!object) continue;
        for (const partial of withoutOneMember(object)) {
          try {
            await controller.validate?.(
              requestOf(write, frozenCopy(await admit(controller, {...write, object: {...partial, metadata: partial.metadata ?? {}}}))),
            );
          } catch (error) {
            t.true(StatusError.is(error), `${JSON.stringify(partial)}: ${String(error)}`);
          }
        }
      }
    }),
  ];
}

/** The object after `admit`. */
async function admit(controller: AdmissionController, write: AdmissionCase): Promise<ApiObject | undefined> {
  const request = requestOf(write, structuredClone(objectOf(write)));
  await controller.admit?.(request);
  return request.object;
}

function objectOf(write: AdmissionCase): ApiObject | undefined {
  if ('object' in write || write.operation === 'DELETE') return write.object;
  return {metadata: {name: write.name ?? 'settings', namespace: write.namespace ?? 'default'}};
}

function requestOf(write: AdmissionCase, object: ApiObject | undefined): AdmissionRequest {
  const kind = write.kind ?? {group: '', version: 'v1', kind: 'ConfigMap'};
  const resource = write.resource ?? {group: '', version: 'v1', resource: 'configmaps'};
  return {
    operation: 'CREATE',
    kind,
    resource,
    subresource: '',
    forms: [{kind, resource}],
    namespace: object?.metadata.namespace ?? 'default',
    name: object?.metadata.name ?? 'settings',
    options: {},
    dryRun: false,
    user: {username: 'ada', groups: []},
    ofCollection: false,
    round: 0,
    signal: undefined,
    shownAs: (shown) => shown,
    patch: () => Promise.reject(new Error('nothing can be patched here: test a controller that does so with startTestServer')),
    merge: () => Promise.reject(new Error('nothing can be patched here: test a controller that does so with startTestServer')),
    runAgain: () => undefined,
    warn: () => undefined,
    annotate: () => undefined,
    ...write,
    object,
    oldObject: frozenCopy(write.oldObject),
  };
}
