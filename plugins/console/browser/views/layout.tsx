import type {ComponentChildren} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {hrefOf, place} from '../api/location.js';
import {chooseNamespace, knownNamespaces, namespace} from '../api/namespaces.js';
import {actAs, impersonated, signOut, user} from '../api/session.js';
import {Dialog} from '../parts/dialog.js';
import {EnteredField} from '../parts/entered-field.js';
import {Palette} from '../parts/palette.js';
import {otherTheme, theme} from '../parts/theme.js';

const views = [
  ['types', 'Types'],
  ['cluster', 'Cluster'],
  ['access', 'Access'],
  ['why', 'Why'],
  ['playground', 'Playground'],
  ['server', 'Server'],
] as const;

const keys = [
  [':', 'go to a type or a view'],
  ['/', 'filter what is shown; the same as : where there is no filter'],
  ['j k ↓ ↑', 'move in a list'],
  ['x', 'select the row'],
  ['Enter', 'open the row'],
  ['?', 'these keys'],
  ['Esc', 'close'],
] as const;

/** What is around every view: where one is, which namespace, who. */
export function Layout({children}: {readonly children: ComponentChildren}) {
  const [open, setOpen] = useState<'palette' | 'keys'>();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      if (event.key === ':') setOpen('palette');
      else if (event.key === '?') setOpen('keys');
      else if (event.key === '/') filterOr(() => setOpen('palette'));
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const part = place.value.parts[0] ?? 'types';
  return (
    <>
      <header class="top">
        <a class="brand" href={hrefOf([], {namespace: namespace.value})}>
          Orch
        </a>
        <nav aria-label="Views">
          {views.map(([name, title]) => (
            <a href={hrefOf([name], {namespace: namespace.value})} aria-current={part === name ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <label>
          Namespace <EnteredField list="namespaces" placeholder="all" value={namespace.value} onEnter={chooseNamespace} />
        </label>
        <datalist id="namespaces">
          {knownNamespaces.value.map((name) => (
            <option value={name} />
          ))}
        </datalist>
        <span class="actions">
          <button type="button" onClick={() => setOpen('palette')}>
            Go to <kbd>:</kbd>
          </button>
          <button type="button" class="plain" aria-label="Keys" onClick={() => setOpen('keys')}>
            <kbd>?</kbd>
          </button>
          <button type="button" class="plain" onClick={otherTheme}>
            {theme.value === 'dark' ? 'Light' : 'Dark'}
          </button>
          <span class="user" title={user.value?.groups.join(', ')}>
            {user.value?.username}
          </span>
          <button type="button" class="plain" onClick={() => void signOut()}>
            Sign out
          </button>
        </span>
      </header>
      {impersonated.value && (
        <p class="notice acting" role="status">
          You act as <strong>{impersonated.value.username}</strong>.{' '}
          <button type="button" onClick={() => void actAs(undefined)}>
            Be yourself again
          </button>
        </p>
      )}
      <main>{children}</main>
      {open === 'palette' && <Palette onClose={() => setOpen(undefined)} />}
      {open === 'keys' && (
        <Dialog title="Keys" onClose={() => setOpen(undefined)}>
          <dl class="keys">
            {keys.map(([key, meaning]) => (
              <div>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}

/** Leads to the field that filters what is shown, if there is one. */
function filterOr(otherwise: () => void): void {
  const field = document.querySelector<HTMLElement>('[data-filter]');
  if (field) field.focus();
  else otherwise();
}

/** Whether a key belongs to what is written. The editor's own place is in a shadow, behind its frame. */
function isTyping({target}: KeyboardEvent): boolean {
  const element = target as HTMLElement;
  return element.matches('input:not([type=checkbox]), textarea, select, .editor') || element.isContentEditable;
}
