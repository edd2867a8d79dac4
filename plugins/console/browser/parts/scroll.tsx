import type {ComponentChildren} from 'preact';

export interface ScrollProps {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** What is longer than the window: keys scroll it, too. */
export function Scroll({label, class: more = '', children}: ScrollProps) {
  return (
    <div class={`scroll ${more}`} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
