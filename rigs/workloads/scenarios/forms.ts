export const labels = {app: 'web'};

export function template(tag = '1', more: object = {}) {
  return {metadata: {labels}, spec: {containers: [{name: 'main', image: `registry.example.com/app:${tag}`}], ...more}};
}

export function deployment(replicas: number, more: object = {}) {
  return {replicas, selector: {matchLabels: labels}, template: template(), ...more};
}

/** A change of the template. */
export function image(tag: string, more: object = {}) {
  return {spec: {...more, template: {spec: {containers: [{name: 'main', image: `registry.example.com/app:${tag}`}]}}}};
}

/** Of pods that end. */
export function jobSpec(more: object = {}, restartPolicy = 'Never') {
  return {template: {spec: {restartPolicy, containers: [{name: 'main', image: 'registry.example.com/app:1'}]}}, ...more};
}
