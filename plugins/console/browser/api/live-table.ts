import {signal} from '@preact/signals';
import {platformGroup} from './facts.js';
import {Refusal, requestJson, type Status} from './request.js';
import {rowFilter} from './row-filter.js';
import {SortedRows} from './sorted-rows.js';
import {orderByName, tableRow, type RowOrder, type ServerRow, type ServerTable, type TableColumn, type TableRow} from './table-rows.js';
import {openWatch, type WatchEvent} from './watch.js';

/** Objects of one request. */
const pageSize = 1000;
/** Changes are shown together, at most so often, with the next frame: the page is laid out once for all that is new. */
const showMillis = 80;
/** Pauses before a watch that broke is opened again. */
const pauses = {first: 300, most: 10_000};

export type TableState = 'loading' | 'live' | 'reconnecting' | 'refused';

/**
 * The rows of a list as the server's tables have them, kept up to date by a watch. What breaks is taken up again from the last version; a refusal is shown, and nothing
 * is asked again.
 */
export class LiveTable {
  readonly state = signal<TableState>('loading');
  readonly refusal = signal<Refusal | undefined>(undefined);
  /** What keeps the server from answering now; it is asked again. */
  readonly trouble = signal<Refusal | undefined>(undefined);
  readonly columns = signal<readonly TableColumn[]>([]);
  readonly order = signal<RowOrder>(orderByName);
  readonly rows = new SortedRows();
  readonly #path: string;
  readonly #query: Readonly<Record<string, string>>;
  readonly #annotations: readonly string[];
  /** Counts what was shown: `shown` is one list, however often it changes. */
  readonly #moment = signal(0);
  readonly #abort = new AbortController();
  #version = '';
  #pause = pauses.first;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame: number | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #endWatch: (() => void) | undefined;

  /** @param query selectors @param annotations those that rows have */
  constructor(path: string, query: Readonly<Record<string, string>>, annotations: readonly string[] = []) {
    this.#annotations = annotations;
    this.#path = path;
    this.#query = query;
  }

  start(): void {
    void this.#list();
  }

  stop(): void {
    this.#abort.abort();
    this.#endWatch?.();
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  sort(order: RowOrder): void {
    this.rows.sort(order, this.ageColumn);
    this.order.value = order;
    this.#showNow();
  }

  /** Shows rows that have all words of a text. */
  filter(search: string): void {
    this.rows.filter(rowFilter(search));
    this.#showNow();
  }

  /** The rows to show, those that `filter` looks for. Who reads them is rendered again when they have changed; they are in the same list, which is not copied for that. */
  get shown(): readonly TableRow[] {
    void this.#moment.value;
    return this.rows.found;
  }

  /** Which column is the age: it is counted here, since that of the server is of the moment of the list. */
  get ageColumn(): number {
    return this.columns.value.findIndex(({name}) => name === 'Age');
  }

  async #list(): Promise<void> {
    try {
      let next = '';
      // What was there before stays until all of it is known anew.
      const isFirst = this.rows.rows.length === 0;
      const found: TableRow[] = [];
      do {
        const table = await requestJson<ServerTable>(this.#address({limit: String(pageSize), ...(next === '' ? {} : {continue: next})}), {
          accept: this.#accept(),
          signal: this.#abort.signal,
        });
        this.#describe(table);
        const page = (table.rows ?? []).map((row) => tableRow(row, this.#annotations));
        if (isFirst) this.#show(() => this.rows.add(page));
        else found.push(...page);
        next = table.metadata?.continue ?? '';
        this.#version = table.metadata?.resourceVersion ?? '';
      } while (next !== '');
      if (!isFirst) this.#show(() => this.rows.replace(found));
      this.refusal.value = undefined;
      this.#watch();
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#failed(error instanceof Refusal ? error : new Refusal(0, {message: String(error)}));
    }
  }

  #failed(refusal: Refusal): void {
    // Lost chunks, servers that are away or busy: again. Whatever else is said holds.
    if (refusal.code === 410) return void this.#list();
    if (refusal.isPassing) {
      this.trouble.value = refusal;
      return this.#later(() => void this.#list());
    }
    this.refusal.value = refusal;
    this.state.value = 'refused';
  }

  #watch(): void {
    const query = {watch: '1', resourceVersion: this.#version, allowWatchBookmarks: 'true', accept: this.#accept()};
    this.#endWatch = openWatch<ServerTable & Status>(this.#address(query), {
      opened: () => {
        this.trouble.value = undefined;
        this.state.value = 'live';
      },
      event: (event) => this.#take(event),
      ended: () => this.#later(() => void this.#probe()),
    });
  }

  /** A WebSocket does not say why it was refused: a request does. */
  async #probe(): Promise<void> {
    try {
      await requestJson(this.#address({limit: '1'}), {accept: this.#accept(), signal: this.#abort.signal});
      this.#watch();
    } catch (error) {
      if (!this.#abort.signal.aborted && error instanceof Refusal) this.#failed(error);
    }
  }

  #take({type, object}: WatchEvent<ServerTable & Status>): void {
    if (type === 'ERROR') {
      // The history of the last version is gone: all anew.
      this.#endWatch?.();
      if (object.code === 410) void this.#list();
      else this.#later(() => void this.#list());
      return;
    }
    this.#pause = pauses.first;
    if (object.columnDefinitions) this.#describe(object);
    for (const row of object.rows ?? []) this.#takeRow(type, row);
  }

  #takeRow(type: string, row: ServerRow): void {
    const {resourceVersion, uid} = row.object.metadata;
    this.#version = resourceVersion;
    if (type === 'BOOKMARK') return;
    this.#show(() => (type === 'DELETED' ? this.rows.remove(uid) : this.rows.put(tableRow(row, this.#annotations))));
  }

  #later(work: () => void): void {
    this.#endWatch = undefined;
    this.state.value = 'reconnecting';
    this.#retry = setTimeout(work, this.#pause);
    this.#pause = Math.min(this.#pause * 2, pauses.most);
  }

  #describe({columnDefinitions}: ServerTable): void {
    if (!columnDefinitions || this.columns.value.length > 0) return;
    this.columns.value = columnDefinitions;
    this.rows.sort(this.rows.order, this.ageColumn);
  }

  #show(change: () => void): void {
    change();
    this.#timer ??= setTimeout(() => {
      this.#frame = requestAnimationFrame(() => {
        this.#timer = undefined;
        this.#showNow();
      });
    }, showMillis);
  }

  #showNow(): void {
    this.#moment.value += 1;
  }

  #address(query: Readonly<Record<string, string>>): string {
    return `${this.#path}?${new URLSearchParams({...this.#query, includeObject: 'Metadata', ...query})}`;
  }

  #accept(): string {
    return `application/json;as=Table;v=v1;g=${platformGroup('meta')}`;
  }
}
