import type {RequestReport} from '../../../sdk/index.js';
import * as bounds from './bounds.js';

/** Bytes of a report without its texts, about. */
const emptyReport = 600;
const emptyEntry = 100;

interface Kept {
  readonly report: RequestReport;
  readonly bytes: number;
  readonly owner: string;
}

/**
 * The reports of requests that were refused, wrote something or took long. Nobody pushes out the reports of others before having filled an own share; whoever is not known
 * counts as one user.
 */
export class ReportLog {
  /** In the order in which they came. */
  readonly #kept = new Set<Kept>();
  readonly #byOwner = new Map<string, Set<Kept>>();
  readonly #byId = new Map<string, Set<Kept>>();
  #bytes = 0;

  get size(): number {
    return this.#kept.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(report: RequestReport): void {
    if (!isWorthKeeping(report)) return;
    const owner = report.impersonator ?? report.user ?? '';
    const kept = {report, owner, bytes: sizeOf(report)};
    this.#kept.add(kept);
    addTo(this.#byOwner, owner, kept);
    addTo(this.#byId, report.id, kept);
    this.#bytes += kept.bytes;
    const own = this.#byOwner.get(owner)!;
    if (own.size > bounds.reportsOfUser) this.#drop(first(own));
    while (this.#kept.size > bounds.reports || this.#bytes > bounds.reportBytes) this.#drop(first(this.#kept));
    this.#forget();
  }

  /** Those with an id: a client may have given it to several requests. */
  find(id: string): RequestReport[] {
    this.#forget();
    return [...(this.#byId.get(id) ?? [])].map(({report}) => report);
  }

  /** Newest first. */
  *newest(): Iterable<RequestReport> {
    this.#forget();
    for (const {report} of [...this.#kept].reverse()) yield report;
  }

  #forget(): void {
    const oldest = Date.now() - bounds.reportMillis;
    for (const kept of this.#kept) {
      if (kept.report.time >= oldest) return;
      this.#drop(kept);
    }
  }

  #drop(kept: Kept): void {
    this.#kept.delete(kept);
    removeFrom(this.#byOwner, kept.owner, kept);
    removeFrom(this.#byId, kept.report.id, kept);
    this.#bytes -= kept.bytes;
  }
}

/** Reads that were answered in time are as many as there is load, and say nothing. */
function isWorthKeeping({code, method, seconds, isLasting}: RequestReport): boolean {
  return code === 0 || code >= 400 || !['GET', 'HEAD', 'OPTIONS'].includes(method) || (seconds > bounds.slowSeconds && !isLasting);
}

function sizeOf({verdicts, steps, warnings, ...report}: RequestReport): number {
  const texts = [report.id, report.path, report.user, report.impersonator, report.message, report.authorization?.reason, ...warnings];
  const ofVerdicts = verdicts.flatMap(({name, from, message}) => [name, from, message]);
  const characters = [...texts, ...ofVerdicts].reduce((sum, text) => sum + (text?.length ?? 0), 0);
  return emptyReport + (verdicts.length + steps.length) * emptyEntry + characters * 2;
}

function first<T>(set: ReadonlySet<T>): T {
  const [found] = set;
  return found!;
}

function addTo(map: Map<string, Set<Kept>>, key: string, kept: Kept): void {
  const set = map.get(key);
  if (set) set.add(kept);
  else map.set(key, new Set([kept]));
}

function removeFrom(map: Map<string, Set<Kept>>, key: string, kept: Kept): void {
  const set = map.get(key);
  set?.delete(kept);
  if (set?.size === 0) map.delete(key);
}
