import type {ComponentChildren, JSX} from 'preact';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {RowSlots} from './row-slots.js';

/** Height of a row in pixels, as the styles have it. */
const rowHeight = 30;
/** Rows that are made beyond what is seen. */
const margin = 8;

export interface VirtualRowsProps<Row extends {readonly uid: string}> {
  readonly label: string;
  /** May change while it is shown: what is scrolled to is what it has then. */
  readonly rows: readonly Row[];
  /** How many columns there are. */
  readonly columns: number;
  readonly head: ComponentChildren;
  readonly widths: readonly string[];
  row(row: Row, index: number, key: number): JSX.Element;
  /** Which row has to be in sight; -1 for none. */
  readonly shown: number;
  onKeyDown(event: KeyboardEvent): void;
}

/** A table of which only the rows in sight exist: any number of them scrolls without a stutter. */
export function VirtualRows<Row extends {readonly uid: string}>(props: VirtualRowsProps<Row>) {
  const {label, rows, columns, head, widths, row, shown, onKeyDown} = props;
  const frame = useRef<HTMLDivElement>(null);
  const slots = useRef<RowSlots>(undefined);
  slots.current ??= new RowSlots();
  const [sight, setSight] = useState({top: 0, height: 600});
  useEffect(() => {
    const element = frame.current!;
    const look = () => setSight({top: element.scrollTop, height: element.clientHeight});
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, {passive: true});
    // So that its keys work at once.
    if (document.activeElement === document.body) element.focus({preventScroll: true});
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  useEffect(() => {
    const element = frame.current!;
    if (shown < 0) return;
    const [top, bottom] = [shown * rowHeight, (shown + 2) * rowHeight];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  }, [shown]);
  const first = Math.max(0, Math.floor(sight.top / rowHeight) - margin);
  const inSight = rows.slice(first, Math.ceil((sight.top + sight.height) / rowHeight) + margin);
  const ids = inSight.map(({uid}) => uid);
  const keys = slots.current.assign(ids);
  const onFocusIn = useFocusOfRows(frame, ids);
  const space = (left: number) =>
    left > 0 && (
      <tr class="space" aria-hidden="true">
        <td colSpan={columns} style={{height: `${left * rowHeight}px`}} />
      </tr>
    );
  return (
    <div class="rows" ref={frame} tabIndex={0} role="region" aria-label={label} onKeyDown={onKeyDown} onPointerOver={nameCutText}>
      <table aria-rowcount={rows.length + 1} aria-label={label}>
        <colgroup>
          {widths.map((width) => (
            <col style={{width}} />
          ))}
        </colgroup>
        <thead>{head}</thead>
        <tbody onFocusIn={onFocusIn}>
          {space(first)}
          {inSight.map((each, index) => row(each, first + index, keys[index]!))}
          {space(rows.length - first - inSight.length)}
        </tbody>
      </table>
    </div>
  );
}

/** Elements are used again for other rows: what was focused in a row that went must not be what is focused in another. The table is, then. */
function useFocusOfRows(frame: {readonly current: HTMLDivElement | null}, ids: readonly string[]): (event: FocusEvent) => void {
  const focused = useRef<string>(undefined);
  const shown = useRef(ids);
  shown.current = ids;
  useLayoutEffect(() => {
    if (focused.current === undefined || ids.includes(focused.current)) return;
    focused.current = undefined;
    const {activeElement, body} = document;
    const element = frame.current!;
    if (activeElement === body || (activeElement !== element && element.contains(activeElement))) element.focus({preventScroll: true});
  });
  return ({target}) => {
    const element = (target as Element).closest('tr')!;
    const before = element.parentElement!.querySelector('.space:first-child') ? 1 : 0;
    focused.current = shown.current[element.sectionRowIndex - before];
  };
}

/** What is cut off can be read under the pointer: looked at only there, since scrolling makes thousands of cells. */
function nameCutText({target}: Event): void {
  const cell = (target as Element).closest('td');
  if (!cell) return;
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
  else cell.removeAttribute('title');
}
