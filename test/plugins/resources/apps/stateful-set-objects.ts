import type {StatefulSet, StatefulSetSpec} from '../../../../sdk/types/unchecked/apps/v1.js';

const template = {metadata: {labels: {app: 'db'}}, spec: {containers: [{name: 'db', image: 'db:1'}]}};

/** A StatefulSet with no more than it must have, and `spec` over it. */
export function statefulSet(name: string, spec: Partial<StatefulSetSpec> & Record<string, unknown> = {}): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {name},
    spec: {serviceName: 'db', selector: {matchLabels: {app: 'db'}}, template, ...spec},
  };
}

/** The same without one member of the specification. */
export function without(object: StatefulSet, member: keyof StatefulSetSpec): StatefulSet {
  const {[member]: _left, ...spec} = object.spec!;
  return {...object, spec};
}
