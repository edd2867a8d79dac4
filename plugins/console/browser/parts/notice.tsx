import {whyHref} from '../api/places.js';
import {Refusal} from '../api/request.js';

/** What was refused, in the server's words, with the fields that it names. */
export function RefusalNotice({error}: {readonly error: unknown}) {
  const refusal = error instanceof Refusal ? error : undefined;
  const causes = refusal?.status.details?.causes ?? [];
  return (
    <div class="notice bad" role="alert">
      <p>
        {refusal && refusal.code > 0 && <strong>{`${refusal.status.reason ?? 'Refused'} (${refusal.code}): `}</strong>}
        {error instanceof Error ? error.message : String(error)}
        {refusal && refusal.id !== '' && (
          <>
            {' '}
            <a href={whyHref(refusal.id)}>Why?</a>
          </>
        )}
      </p>
      {causes.length > 1 && (
        <ul>
          {causes.slice(0, 20).map(({field, message}) => (
            <li>
              {field !== undefined && <code>{field}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What keeps the server from answering now. */
export function TroubleNotice({trouble}: {readonly trouble: Refusal | undefined}) {
  if (!trouble) return null;
  return (
    <p class="notice" role="status">
      The server does not answer as it should, and is asked again: {trouble.message}
    </p>
  );
}
