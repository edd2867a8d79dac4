import {labelValueFaults, type FieldPath, type NamingProfile} from '../../../sdk/index.js';
import type {NodeSelectorTerm} from '../../../sdk/types/unchecked/core/v1.js';

/** Labels of nodes, in the neutral form, with the release that gave them up and the label that took their place. */
const replaced: Readonly<Record<string, readonly [since: string, instead?: string]>> = {
  'beta.orch/arch': ['v1.14', 'orch/arch'],
  'beta.orch/os': ['v1.14', 'orch/os'],
  'failure-domain.beta.orch/region': ['v1.17', 'topology.orch/region'],
  'failure-domain.beta.orch/zone': ['v1.17', 'topology.orch/zone'],
  'beta.orch/instance-type': ['v1.17', 'node.orch/instance-type'],
  'app.orch/created-by': ['v1.9'],
};

const spelled = new WeakMap<NamingProfile, ReadonlyMap<string, string>>();

/** What is said about a deprecated label of nodes, in Kubernetes' words; undefined for any other label. */
export function nodeLabelAdvice(label: string, naming: NamingProfile): string | undefined {
  let advice = spelled.get(naming);
  if (advice === undefined) spelled.set(naming, (advice = adviceOf(naming)));
  return advice.get(label);
}

function adviceOf(naming: NamingProfile): ReadonlyMap<string, string> {
  const advice = new Map<string, string>();
  for (const [label, [since, instead]] of Object.entries(replaced))
    advice.set(naming.key(label), `deprecated since ${since}${instead === undefined ? '' : `; use "${naming.key(instead)}" instead`}`);
  advice.set(naming.key('scheduler.alpha.orch/preferAvoidPods'), 'deprecated since v1.22; use Taints and Tolerations instead');
  advice.set(naming.key('node-role.orch/master'), `use "${naming.key('node-role.orch/control-plane')}" instead`);
  return advice;
}

/** Warnings about deprecated labels in the expressions of a selector of nodes. `path` is that of the expressions. */
export function* nodeExpressionWarnings(
  expressions: NodeSelectorTerm['matchExpressions'],
  path: FieldPath,
  naming: NamingProfile,
): Generator<string> {
  for (const [index, {key = ''}] of (expressions ?? []).entries()) {
    const advice = nodeLabelAdvice(key, naming);
    if (advice !== undefined) yield `${path.index(index).child('key').toString()}: ${key} is ${advice}`;
  }
}

/** Warnings about values that no label can have. `path` is that of the expressions. */
export function* labelValueWarnings(expressions: NodeSelectorTerm['matchExpressions'], path: FieldPath): Generator<string> {
  for (const [index, {values}] of (expressions ?? []).entries())
    for (const [position, value] of (values ?? []).entries())
      for (const fault of labelValueFaults(value))
        yield `${path.index(index).child('values').index(position).toString()}: ${value} is invalid, ${fault}`;
}
