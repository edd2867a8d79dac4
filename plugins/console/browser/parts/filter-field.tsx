export interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  onInput(value: string): void;
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
    />
  );
}
