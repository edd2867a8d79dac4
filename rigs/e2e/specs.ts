/** What a spec has come to. */
export type Outcome = 'passed' | 'failed' | 'skipped';

/** One spec of a suite, as its report has it. */
export interface Spec {
  readonly text: string;
  readonly outcome: Outcome;
  readonly seconds: number;
  /** Why it failed. */
  readonly message: string;
}

/** Whether it must be the only one that runs. */
export function isSerial(text: string): boolean {
  return text.includes('[Serial]');
}

/** Whether it may fail behind others in one process: what kubectl remembers of a server, for one, is a matter of these. */
export function isFlaky(text: string): boolean {
  return text.includes('[Flaky]');
}

interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  /** Nanoseconds. */
  readonly RunTime: number;
  readonly Failure?: {readonly Message: string; readonly ForwardedPanic?: string};
}

/** The specs of a report of Ginkgo in JSON; of those that failed, why. */
export function specsOf(report: string): Spec[] {
  const suites = JSON.parse(report) as {readonly SpecReports: readonly SpecReport[]}[];
  return suites.flatMap(({SpecReports: specs}) =>
    specs
      .filter(({LeafNodeType: type}) => type === 'It')
      .map((spec) => ({
        text: [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' '),
        outcome: outcomeOf(spec.State),
        seconds: spec.RunTime / 1e9,
        message: [spec.Failure?.Message, spec.Failure?.ForwardedPanic].filter(Boolean).join('\n'),
      })),
  );
}

function outcomeOf(state: string): Outcome {
  if (state === 'passed') return 'passed';
  return state === 'skipped' || state === 'pending' ? 'skipped' : 'failed';
}
