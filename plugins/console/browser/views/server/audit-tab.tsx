import {useState} from 'preact/hooks';
import {readAudit, type AuditPart, type TailEvent} from '../../api/server-facts.js';
import {FilterField} from '../../parts/filter-field.js';
import {RefusalNotice} from '../../parts/notice.js';
import {usePolled} from '../../parts/use-polled.js';
import {FactsTable, PlainTable} from './facts-table.js';

const readMillis = 2000;
/** Events that the page keeps, and those that it shows. */
const mostKept = 1000;
const mostShown = 200;

/** What an open page asks for by itself, again and again: it would hide what others do. */
const ownPaths = /^\/(?:inspection\/|metrics\b|readyz\b|debug\/api_priority)/;

/** The audit log as it grows. */
export function AuditTab() {
  const {value: part, error} = usePolled<AuditPart>(
    async (signal, before) => grown(before, await readAudit(signal, before?.last ?? 0)),
    readMillis,
  );
  const [words, setWords] = useState('');
  const [withOwn, setWithOwn] = useState(false);
  /** Up to which event is shown while it is held. */
  const [held, setHeld] = useState<number>();
  const typed = words.trim().toLowerCase();
  const found = (part?.items ?? [])
    .filter((event) => event.number <= (held ?? Infinity) && (withOwn || !ownPaths.test(event.uri)) && hasWords(event, typed))
    .slice(-mostShown)
    .reverse();
  return (
    <>
      {error !== undefined && <RefusalNotice error={error} />}
      {part?.recording === false && (
        <p class="empty">The server records no requests: it has no audit policy, or no audit log to write to.</p>
      )}
      {part?.recording === true && (
        <>
          <p>
            <FilterField label="Filter events" value={words} onInput={setWords} />{' '}
            <label>
              <input
                type="checkbox"
                checked={held === undefined}
                onChange={(event) => setHeld(event.currentTarget.checked ? undefined : part.last)}
              />{' '}
              follow
            </label>{' '}
            <label>
              <input type="checkbox" checked={withOwn} onChange={(event) => setWithOwn(event.currentTarget.checked)} /> also what this page
              asks for
            </label>{' '}
            {part.missed > 0 && <small>{`${part.missed} events came too fast to be shown`}</small>}
          </p>
          <PlainTable
            columns={['Time', 'User', 'Code', 'Stage', 'Request']}
            rows={found.map((event) => [
              new Date(event.time).toLocaleTimeString(),
              userText(event),
              event.code,
              event.stage,
              <EventDetails key={event.number} event={event} />,
            ])}
          />
          {found.length === 0 && <p>There are none.</p>}
        </>
      )}
    </>
  );
}

/** What came before, with what is new; a server that was started again counts from the beginning. */
function grown(before: AuditPart | undefined, now: AuditPart): AuditPart {
  if (!before || now.last < before.last) return {...now, missed: 0};
  return {...now, missed: before.missed + now.missed, items: [...before.items, ...now.items].slice(-mostKept)};
}

function hasWords({verb, uri, user = '', impersonatedUser = '', code, reason = '', message = ''}: TailEvent, typed: string): boolean {
  return [verb, uri, user, impersonatedUser, String(code ?? ''), reason, message].some((text) => text.toLowerCase().includes(typed));
}

function userText({user, impersonatedUser}: TailEvent): string {
  return impersonatedUser === undefined ? (user ?? '') : `${user ?? ''} as ${impersonatedUser}`;
}

function EventDetails({event}: {readonly event: TailEvent}) {
  const {verb, uri, id, level, sourceIPs, userAgent, reason, message, annotations} = event;
  return (
    <details>
      <summary>
        <code>{`${verb} ${uri}`}</code>
      </summary>
      <FactsTable
        rows={[
          ['Id', <code>{id}</code>],
          ['Level', level],
          ['From', sourceIPs.join(', ')],
          ['Client', userAgent],
          ['Reason', reason],
          ['Message', message],
          ...Object.entries(annotations),
        ]}
      />
    </details>
  );
}
