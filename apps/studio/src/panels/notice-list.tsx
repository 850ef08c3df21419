import { Button } from '../controls/button.js';
import { Icon } from '../controls/icon.js';
import { useStudio } from './studio-context.js';

export function NoticeList() {
  const { notices } = useStudio();
  return (
    <div class="notices" aria-live="polite">
      {notices.list.value.map(({ id, kind, title, text }) => (
        <div key={id} class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
          <Icon name={kind === 'error' ? 'alert' : 'info'} />
          <div>
            <strong>{title}</strong>
            {text && <p>{text}</p>}
          </div>
          <Button icon="close" kind="plain" label="Dismiss" onClick={() => notices.dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
