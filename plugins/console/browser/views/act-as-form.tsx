import {useState} from 'preact/hooks';
import {actAs} from '../api/session.js';
import {TextField} from '../parts/text-field.js';

/** Has the user act as somebody else, as far as the server lets him: everything then looks as it does to that user. */
export function ActAsForm() {
  const [who, setWho] = useState('');
  const [groups, setGroups] = useState('');
  const [problem, setProblem] = useState('');
  const act = async () => {
    setProblem('');
    const other = {username: who.trim(), groups: groups.split(/[\s,]+/).filter(Boolean)};
    const isDone = await actAs(other).catch(() => false);
    if (!isDone) setProblem(`The server does not let you act as ${other.username}.`);
  };
  return (
    <>
      <h2>Act as somebody else</h2>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          void act();
        }}
      >
        <div>
          <TextField id="act-who" label="Act as the user" value={who} onInput={setWho} />
        </div>
        <div>
          <TextField id="act-groups" label="of the groups" value={groups} onInput={setGroups} />
        </div>
        <button type="submit" disabled={who.trim() === ''}>
          Act as this user
        </button>
      </form>
      {problem !== '' && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
