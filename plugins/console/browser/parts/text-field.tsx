export interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly autoFocus?: boolean;
  readonly inputMode?: 'numeric';
  /** The id of what is offered. */
  readonly list?: string | undefined;
  /** Characters. */
  readonly size?: number;
  onInput(value: string): void;
}

/** A line of text with its label before it. Nothing that is typed here is prose. */
export function TextField({id, label, value, onInput, ...more}: TextFieldProps) {
  return (
    <>
      <label for={id}>{label}</label>
      <input {...more} type="text" id={id} spellcheck={false} value={value} onInput={(event) => onInput(event.currentTarget.value)} />
    </>
  );
}
