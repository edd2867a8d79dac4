import {isEmpty, type NamespaceContent} from './namespace-content.js';
import type {Namespace, NamespaceCondition} from '../../../sdk/types/unchecked/core/v1.js';

type Finding = Required<Pick<NamespaceCondition, 'type' | 'status' | 'reason' | 'message'>>;

/**
 * The namespace with status conditions that say what delays its deletion, with Kubernetes' types, reasons and messages. Undefined if the
 * conditions are already correct, or if there is and was nothing to report.
 */
export function withConditions(namespace: Namespace, content: NamespaceContent, now: Date): Namespace | undefined {
  const before = namespace.status?.conditions ?? [];
  if (isEmpty(content) && before.length === 0) return undefined;

  const findings = findingsOf(content);
  const types = new Set(findings.map(({type}) => type));
  const time = `${now.toISOString().slice(0, 19)}Z`;
  let changed = false;
  const conditions = before.filter(({type = ''}) => !types.has(type));
  for (const finding of findings) {
    const known = before.find(({type}) => type === finding.type);
    const same = known?.status === finding.status && known.reason === finding.reason && known.message === finding.message;
    if (!same) changed = true;
    const lastTransitionTime = known?.status === finding.status ? known.lastTransitionTime : time;
    conditions.push(
      same ? known : {type: finding.type, status: finding.status, lastTransitionTime, reason: finding.reason, message: finding.message},
    );
  }
  return changed ? {...namespace, status: {...namespace.status, conditions}} : undefined;
}

function findingsOf({resources, finalizers, failures, undiscovered}: NamespaceContent): Finding[] {
  return [
    undiscovered.length === 0
      ? ok('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered')
      : found(
          'NamespaceDeletionDiscoveryFailure',
          'DiscoveryFailed',
          `Discovery failed for some groups, ${undiscovered.length} failing: unable to retrieve the complete list of server APIs: ${undiscovered
            .map((groupVersion) => `${groupVersion}: stale GroupVersion discovery`)
            .join(', ')}`,
        ),
    ok('NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'),
    failures.length === 0
      ? ok('NamespaceDeletionContentFailure', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization')
      : found(
          'NamespaceDeletionContentFailure',
          'ContentDeletionFailed',
          `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(', ')}`,
        ),
    resources.size === 0
      ? ok('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : found('NamespaceContentRemaining', 'SomeResourcesRemain', `Some resources are remaining: ${counts(resources, ' has ')}`),
    finalizers.size === 0
      ? ok('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : found(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${counts(finalizers, ' in ')}`,
        ),
  ];
}

function ok(type: string, reason: string, message: string): Finding {
  return {type, status: 'False', reason, message};
}

function found(type: string, reason: string, message: string): Finding {
  return {type, status: 'True', reason, message};
}

/** Sorted, so that the same findings give the same text. */
function counts(numbers: ReadonlyMap<string, number>, joint: string): string {
  return [...numbers]
    .map(([name, count]) => `${name}${joint}${count} resource instances`)
    .sort()
    .join(', ');
}
