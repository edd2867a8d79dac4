import type {ComponentChildren, JSX} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';

/** Height of a row in pixels, as the styles have it. */
const rowHeight = 30;
/** Rows that are made beyond what is seen. */
const margin = 12;

export interface VirtualRowsProps {
  readonly label: string;
  readonly count: number;
  /** How many columns there are. */
  readonly columns: number;
  readonly head: ComponentChildren;
  readonly widths: readonly string[];
  /** The row of this number. */
  row(index: number): JSX.Element;
  /** Which row has to be in sight; -1 for none. */
  readonly shown: number;
  onKeyDown(event: KeyboardEvent): void;
}

/** A table of which only the rows in sight exist: any number of them scrolls without a stutter. */
export function VirtualRows({label, count, columns, head, widths, row, shown, onKeyDown}: VirtualRowsProps) {
  const frame = useRef<HTMLDivElement>(null);
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
  const last = Math.min(count, Math.ceil((sight.top + sight.height) / rowHeight) + margin);
  const space = (rows: number) =>
    rows > 0 && (
      <tr class="space" aria-hidden="true">
        <td colSpan={columns} style={{height: `${rows * rowHeight}px`}} />
      </tr>
    );
  return (
    <div class="rows" ref={frame} tabIndex={0} role="region" aria-label={label} onKeyDown={onKeyDown}>
      <table aria-rowcount={count + 1} aria-label={label}>
        <colgroup>
          {widths.map((width) => (
            <col style={{width}} />
          ))}
        </colgroup>
        <thead>{head}</thead>
        <tbody>
          {space(first)}
          {Array.from({length: Math.max(0, last - first)}, (_, index) => row(first + index))}
          {space(count - last)}
        </tbody>
      </table>
    </div>
  );
}
