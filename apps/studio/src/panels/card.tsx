import type { ComponentChildren } from 'preact';

interface CardProps {
  readonly name: string;
  readonly words: string;
  /** Address of the picture, which may come later. */
  readonly picture: string | undefined;
  readonly isCurrent: boolean;
  readonly onClick: () => void;
  /** What was measured. */
  readonly children?: ComponentChildren;
}

/** Something to choose by its picture. */
export function Card({ name, words, picture, isCurrent, onClick, children }: CardProps) {
  return (
    <button type="button" class="card" aria-current={isCurrent} onClick={onClick}>
      {picture ? (
        <img class="picture" src={picture} alt="" width={352} height={198} />
      ) : (
        <span class="picture waiting-picture">Planning …</span>
      )}
      <span class="words">
        <b>{name}</b>
        <span>{words}</span>
        {children && <span class="loss">{children}</span>}
      </span>
    </button>
  );
}
