import {useLayoutEffect, useRef} from 'preact/hooks';

export interface EnteredFieldProps {
  /** What applies now. */
  readonly value: string;
  readonly label?: string | undefined;
  readonly placeholder: string;
  readonly title?: string | undefined;
  readonly class?: string | undefined;
  /** The id of what is offered. */
  readonly list?: string | undefined;
  onEnter(value: string): void;
}

/**
 * A line of text that applies with Enter, or when its field is left. What is being typed stays when its surroundings are drawn anew, as they are with each change
 * of a list: it is replaced only when another value applies.
 */
export function EnteredField({value, label, placeholder, title, class: className, list, onEnter}: EnteredFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current!.value = value;
  }, [value]);
  return (
    <input
      ref={input}
      class={className}
      list={list}
      aria-label={label}
      placeholder={placeholder}
      title={title}
      spellcheck={false}
      onChange={(event) => onEnter(event.currentTarget.value.trim())}
    />
  );
}
