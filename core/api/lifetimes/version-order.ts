const kubeLike = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/;
const stageRank = {alpha: 1, beta: 2} as const;

/**
 * Orders API versions by preference, best first: kube-like names before others; among them GA before beta before alpha, then by descending
 * major and minor number; others alphabetically (docs/semantics/custom-resources.md#order-of-versions).
 */
export function compareVersions(a: string, b: string): number {
  const left = kubeLike.exec(a);
  const right = kubeLike.exec(b);
  if (!left && !right) return a < b ? -1 : a > b ? 1 : 0;
  if (!left) return 1;
  if (!right) return -1;
  const [leftStage, rightStage] = [stage(left), stage(right)];
  if (leftStage !== rightStage) return rightStage - leftStage;
  if (left[1] !== right[1]) return Number(right[1]) - Number(left[1]);
  return Number(right[3] ?? 0) - Number(left[3] ?? 0);
}

function stage(match: RegExpExecArray): number {
  return match[2] === undefined ? 3 : stageRank[match[2] as 'alpha' | 'beta'];
}
