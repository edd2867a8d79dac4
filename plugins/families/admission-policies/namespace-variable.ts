import type {ApiObject, JsonObject} from '../../../sdk/index.js';

const text = {type: 'string'};
const texts = {type: 'array', items: text};
const textMap = {type: 'object', additionalProperties: text};
const time = {type: 'string', format: 'date-time'};

/** Members of a namespace's metadata that expressions see. */
const metadata = {
  name: text,
  generateName: text,
  namespace: text,
  labels: textMap,
  annotations: textMap,
  // Declared in capitals in Kubernetes, so that nothing is ever found there.
  UID: text,
  creationTimestamp: time,
  deletionGracePeriodSeconds: {type: 'integer'},
  deletionTimestamp: time,
  generation: {type: 'integer'},
  resourceVersion: text,
  finalizers: texts,
};
const condition = {status: text, type: text, lastTransitionTime: time, message: text, reason: text};

/** The variable `namespaceObject` of expressions: the namespace of the object, without what is of no use to policies. */
export const namespaceSchema = {
  type: 'object',
  properties: {
    metadata: {type: 'object', properties: metadata},
    spec: {type: 'object', properties: {finalizers: texts}},
    status: {
      type: 'object',
      properties: {conditions: {type: 'array', items: {type: 'object', properties: condition}}, phase: text},
    },
  },
};

/** The value of `namespaceObject`. */
export function namespaceValue({metadata: given, ...members}: ApiObject): JsonObject {
  const {spec = {}, status = {}} = members as JsonObject;
  const shown = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(metadata, name)));
  return {metadata: shown as JsonObject, spec, status};
}

/** Whether an expression may look at the namespace: most do not, and then nobody needs to read it. */
export function looksAtNamespace(expression: string): boolean {
  return expression.includes('namespaceObject');
}
