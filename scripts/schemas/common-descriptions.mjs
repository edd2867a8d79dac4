// What the same fields mean in all types that have them, and what lists and conditions are.

const conditionFields = {
  type: 'Name of the aspect.',
  status: 'True, False or Unknown.',
  observedGeneration: 'The generation of the object that this was found for.',
  lastProbeTime: 'When it was last looked at.',
  lastUpdateTime: 'When the condition was last written.',
  lastTransitionTime: 'When the status last changed.',
  reason: 'Why, in one word for programs.',
  message: 'Why, in words for people.',
};

const statusFields = {
  observedGeneration: 'The generation of the object that the status describes.',
  conditions: 'Details of the state, one of each type.',
};

const objectFields = {
  spec: 'The wanted state.',
  status: 'The state that was found. Written by controllers.',
};

/**
 * Descriptions of a type by the names of its fields; the empty name describes the type itself. They count where nothing was
 * written for the type.
 */
export function commonDescriptions(name, definition) {
  const properties = definition.properties ?? {};
  const given = {};
  const add = (fields) => {
    for (const [field, description] of Object.entries(fields)) if (Object.hasOwn(properties, field)) given[field] = description;
  };
  if (isObject(properties)) {
    add({apiVersion: 'Group and version of the schema that this object follows.', kind: 'Name of the type of this object.'});
    add(objectFields);
  }
  if (name.endsWith('Status')) add(statusFields);
  if (name.endsWith('Condition')) {
    given[''] = "One aspect of an object's state.";
    add(conditionFields);
  }
  const metadata = referredName(properties.metadata);
  if (metadata === 'ObjectMeta') add({metadata: 'Name, labels and the like.'});
  if (metadata === 'ListMeta') Object.assign(given, listDescriptions(name, properties));
  return given;
}

/** The apiVersion and kind of an object have no number in its binary form; those of a reference have one. */
function isObject({apiVersion, kind}) {
  return apiVersion !== undefined && kind !== undefined && apiVersion['x-orch-field'] === undefined;
}

function listDescriptions(name, {items}) {
  const metadata = {metadata: 'Version and paging of the list.'};
  const item = referredName(items?.items);
  return item === undefined || name !== `${item}List`
    ? metadata
    : {...metadata, '': `A list of ${plural(item)}.`, items: `The ${plural(item)}.`};
}

function referredName(schema) {
  return schema?.$ref?.split('/').at(-1);
}

/** The plural of a kind, such as Ingresses, NetworkPolicies and Endpoints (which is one already). */
function plural(kind) {
  if (/[^aeiou]y$/.test(kind)) return `${kind.slice(0, -1)}ies`;
  if (/(ss|x|ch|sh)$/.test(kind)) return `${kind}es`;
  return kind.endsWith('s') ? kind : `${kind}s`;
}
