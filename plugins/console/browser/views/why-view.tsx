import {useEffect, useState} from 'preact/hooks';
import {durationText} from '../api/duration-text.js';
import {reportsOf, requestsOf, type ListedRequest, type RequestKind, type RequestReport} from '../api/inspection.js';
import {goTo, hrefOf, place, setQuery} from '../api/location.js';
import {namespace} from '../api/namespaces.js';
import {whyHref} from '../api/places.js';
import {ageText, now} from '../parts/age.js';
import {RefusalNotice} from '../parts/notice.js';
import {Scroll} from '../parts/scroll.js';
import {TextField} from '../parts/text-field.js';
import {usePolled} from '../parts/use-polled.js';
import {ReportDetails} from './report-details.js';

const lookMillis = 3000;
const kinds: readonly (readonly [RequestKind, string])[] = [
  ['refused', 'Refused'],
  ['slow', 'Slow'],
  ['all', 'All that wrote, were refused or slow'],
];

/** Why requests were answered as they were: one by its id, or the latest. */
export function WhyView() {
  const [, id = ''] = place.value.parts;
  const [typed, setTyped] = useState(id);
  useEffect(() => setTyped(id), [id]);
  return (
    <>
      <div class="bar">
        <h1>Why</h1>
        <form
          class="actions"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() !== '') goTo(whyHref(typed.trim()));
          }}
        >
          <TextField id="why-id" label="Id of a request (its Audit-Id)" size={38} value={typed} onInput={setTyped} />
          <button type="submit">Explain</button>
        </form>
      </div>
      {id === '' ? <LatestRequests /> : <OneRequest key={id} id={id} />}
    </>
  );
}

function OneRequest({id}: {readonly id: string}) {
  const [reports, setReports] = useState<readonly RequestReport[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => void reportsOf(id).then(setReports, setError), [id]);
  return (
    <Scroll label="What became of the request">
      <p>
        <a href={hrefOf(['why'], {namespace: namespace.value})}>All requests</a>
      </p>
      {error !== undefined && <RefusalNotice error={error} />}
      {reports?.map((report) => (
        <ReportDetails report={report} />
      ))}
      {error !== undefined && (
        <p class="hint">
          Kept are requests of the last five minutes that were refused, wrote something or were slow; you see your own ones.
        </p>
      )}
    </Scroll>
  );
}

function LatestRequests() {
  const kind = kinds.find(([name]) => name === place.value.query['kind'])?.[0] ?? 'refused';
  const {value: requests, error} = usePolled((signal) => requestsOf(kind, signal), lookMillis, {about: [kind]});
  return (
    <Scroll label="The latest requests">
      <fieldset class="choice">
        <legend>Requests of the last five minutes</legend>
        {kinds.map(([name, title]) => (
          <label>
            <input type="radio" name="kind" checked={kind === name} onChange={() => setQuery({kind: name === 'refused' ? '' : name})} />{' '}
            {title}
          </label>
        ))}
      </fieldset>
      {error !== undefined && <RefusalNotice error={error} />}
      {requests?.length === 0 && <p>There are none.</p>}
      {requests && requests.length > 0 && <RequestTable requests={requests} />}
    </Scroll>
  );
}

/** Requests, each a link to its explanation. */
export function RequestTable({requests}: {readonly requests: readonly ListedRequest[]}) {
  return (
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">Age</th>
          <th scope="col">Answer</th>
          <th scope="col">Method</th>
          <th scope="col">Path</th>
          <th scope="col">User</th>
          <th scope="col">Took</th>
        </tr>
      </thead>
      <tbody>
        {requests.map(({id, time, code, reason = '', method, path, user = '', impersonator, seconds}) => (
          <tr key={`${id} ${time}`}>
            <td>{ageText(Date.parse(time), now.value)}</td>
            <td>
              <a href={whyHref(id)}>
                {code === 0 ? 'none' : code} {reason}
              </a>
            </td>
            <td>{method}</td>
            <td>
              <code>{path}</code>
            </td>
            <td>
              {user}
              {impersonator !== undefined && <small> by {impersonator}</small>}
            </td>
            <td>{durationText(seconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
