import {hrefOf, place, setQuery} from '../api/location.js';

export interface TabListProps<Tab extends string> {
  readonly label: string;
  /** Titles by name; the first one is shown if the address names none. */
  readonly tabs: Readonly<Record<Tab, string>>;
  readonly tab: Tab;
}

/** The tab that the address names. */
export function chosenTab<Tab extends string>(tabs: Readonly<Record<Tab, string>>): Tab {
  const named = place.value.query['tab'] ?? '';
  return Object.hasOwn(tabs, named) ? (named as Tab) : (Object.keys(tabs)[0] as Tab);
}

/** Tabs of a view, which are part of its address. What they show is the element `tab`. */
export function TabList<Tab extends string>({label, tabs, tab}: TabListProps<Tab>) {
  const names = Object.keys(tabs) as Tab[];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = names[(names.indexOf(tab) + step + names.length) % names.length]!;
    setQuery({tab: next});
    document.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {names.map((name, index) => (
        <a
          id={`tab-${name}`}
          role="tab"
          aria-selected={name === tab}
          aria-controls="tab"
          tabIndex={name === tab ? 0 : -1}
          href={hrefOf(place.value.parts, {...place.value.query, tab: index === 0 ? '' : name})}
        >
          {tabs[name]}
        </a>
      ))}
    </div>
  );
}
