import {useEffect, useRef, useState} from 'preact/hooks';
import type {TableRow} from '../api/table-rows.js';

/** Requests at a time: a browser has six connections. */
const atOnce = 4;
/** Outcomes that are listed; the rest is counted. */
const mostListed = 200;

type Outcome = {readonly text: string; readonly isBad: boolean} | undefined;

export interface BulkWorkProps {
  readonly targets: readonly TableRow[];
  /** `Delete`, as the button says. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  act(target: TableRow, dryRun: boolean): Promise<void>;
  onClose(): void;
}

/** Does something to many objects: first as a dry run, whose outcome is shown, then for real. */
export function BulkWork({targets: given, verb, isDangerous = false, act, onClose}: BulkWorkProps) {
  // What was selected, however the list changes meanwhile.
  const targets = useRef(given).current;
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [stage, setStage] = useState<'trying' | 'tried' | 'working' | 'done'>('trying');
  const gone = useRef(false);
  const runAll = async (dryRun: boolean) => {
    const found = new Map<string, Outcome>();
    const open = targets[Symbol.iterator]();
    await Promise.all(
      Array.from({length: atOnce}, async () => {
        for (const target of open) {
          if (gone.current) return;
          found.set(target.uid, await outcomeOf(act(target, dryRun), dryRun));
          if (!gone.current) setOutcomes(new Map(found));
        }
      }),
    );
    if (!gone.current) setStage(dryRun ? 'tried' : 'done');
  };
  useEffect(() => {
    void runAll(true);
    return () => void (gone.current = true);
  }, []);
  const bad = [...outcomes.values()].filter((outcome) => outcome?.isBad === true).length;
  const title = {
    trying: `Dry run: ${outcomes.size} of ${targets.length}`,
    tried: bad === 0 ? `The dry run went well for all ${targets.length}.` : `The dry run was refused for ${bad} of ${targets.length}.`,
    working: `${outcomes.size} of ${targets.length}`,
    done: bad === 0 ? `Done: ${targets.length}.` : `Refused for ${bad} of ${targets.length}.`,
  }[stage];
  return (
    <>
      <p role="status">{title}</p>
      <ul class="outcomes" tabIndex={0} aria-label="Outcomes">
        {targets.slice(0, mostListed).map(({uid, namespace, name}) => {
          const outcome = outcomes.get(uid);
          return (
            <li class={outcome?.isBad === true ? 'bad' : ''}>
              <span>{namespace === '' ? name : `${namespace}/${name}`}</span> <small>{outcome?.text}</small>
            </li>
          );
        })}
        {targets.length > mostListed && <li>{`and ${targets.length - mostListed} more`}</li>}
      </ul>
      <footer>
        <button type="button" onClick={onClose}>
          {stage === 'done' ? 'Close' : 'Cancel'}
        </button>
        {stage !== 'done' && (
          <button
            type="button"
            class={isDangerous ? 'danger' : 'main'}
            disabled={stage !== 'tried'}
            onClick={() => {
              setStage('working');
              setOutcomes(new Map());
              void runAll(false);
            }}
          >{`${verb} ${targets.length}`}</button>
        )}
      </footer>
    </>
  );
}

async function outcomeOf(work: Promise<void>, dryRun: boolean): Promise<Outcome> {
  try {
    await work;
    return {text: dryRun ? 'would be done' : 'done', isBad: false};
  } catch (error) {
    return {text: (error as Error).message, isBad: true};
  }
}
