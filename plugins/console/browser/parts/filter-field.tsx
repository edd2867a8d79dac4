import type {TargetedKeyboardEvent} from 'preact';

export interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  onInput(value: string): void;
}

/** Browsers empty a field by Escape. Once more, and the keys of the page work again. */
function leaveWhenEmpty({key, currentTarget}: TargetedKeyboardEvent<HTMLInputElement>): void {
  if (key !== 'Escape' || currentTarget.value !== '') return;
  currentTarget.blur();
  document.querySelector<HTMLElement>('.rows')?.focus();
}

/** The field that `/` leads to. */
export function FilterField({label, value, placeholder = 'Filter  /', onInput}: FilterFieldProps) {
  return (
    <input
      type="search"
      class="filter"
      data-filter
      aria-label={label}
      placeholder={placeholder}
      spellcheck={false}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={leaveWhenEmpty}
    />
  );
}
