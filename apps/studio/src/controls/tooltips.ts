/** One tooltip for the whole page: whatever has `data-tip` shows it on hover and on keyboard focus. */
const DELAY = 450;
const MARGIN = 8;

export function startTooltips(root: HTMLElement): void {
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.setAttribute('role', 'tooltip');
  tip.id = 'tip';
  tip.hidden = true;
  root.append(tip);
  let timer = 0;
  let owner: Element | null = null;

  const hide = () => {
    clearTimeout(timer);
    tip.hidden = true;
    owner?.removeAttribute('aria-describedby');
    owner = null;
  };
  const show = (target: HTMLElement) => {
    tip.textContent = target.dataset.tip ?? '';
    tip.hidden = false;
    owner = target;
    if (tip.textContent !== target.getAttribute('aria-label')) target.setAttribute('aria-describedby', 'tip');
    const at = target.getBoundingClientRect();
    const own = tip.getBoundingClientRect();
    const left = at.left + (at.width - own.width) / 2;
    const below = at.bottom + MARGIN + own.height < window.innerHeight;
    tip.style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - own.width - MARGIN))}px`;
    tip.style.top = `${below ? at.bottom + MARGIN : at.top - MARGIN - own.height}px`;
  };
  const find = (event: Event) => (event.target as Element | null)?.closest?.<HTMLElement>('[data-tip]') ?? null;

  root.addEventListener('pointerover', (event) => {
    const target = find(event);
    if (target === owner) return;
    hide();
    if (target && (event as PointerEvent).pointerType === 'mouse') timer = window.setTimeout(() => show(target), DELAY);
  });
  root.addEventListener('focusin', (event) => {
    const target = find(event);
    if (target && (event.target as Element).matches(':focus-visible')) show(target);
  });
  for (const type of ['pointerdown', 'focusout', 'keydown', 'pointerleave']) root.addEventListener(type, hide);
}
