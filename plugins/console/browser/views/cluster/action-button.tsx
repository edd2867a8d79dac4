import type {ComponentChildren} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {RefusalNotice} from '../../parts/notice.js';

export interface ActionButtonProps {
  readonly children: ComponentChildren;
  readonly label?: string;
  readonly class?: string;
  /** For a button that is a switch. */
  readonly isPressed?: boolean;
  /** @returns what to say when it is done; empty for nothing */
  work(): Promise<string>;
}

/** A button that asks the server for something, and says why that was refused. */
export function ActionButton({children, label, class: kind = '', isPressed, work}: ActionButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [error, setError] = useState<unknown>();
  const isThere = useRef(true);
  useEffect(() => () => void (isThere.current = false), []);
  const run = async () => {
    setBusy(true);
    setError(undefined);
    setSaid('');
    try {
      const done = await work();
      if (isThere.current) setSaid(done);
    } catch (refused) {
      if (isThere.current) setError(refused);
    }
    if (isThere.current) setBusy(false);
  };
  return (
    <>
      <button type="button" class={kind} aria-label={label} aria-pressed={isPressed} disabled={isBusy} onClick={() => void run()}>
        {children}
      </button>
      {said !== '' && <span role="status">{said}</span>}
      {error !== undefined && <RefusalNotice error={error} />}
    </>
  );
}
