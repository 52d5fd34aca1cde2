import { useState } from 'react';

interface Props {
  src: string;
  /** Changes when the picture may be a different one. */
  state: string;
  className?: string | undefined;
}

/**
 * Shows a picture beside text that describes it. Its signed address differs in every response; the first one is kept,
 * so that polling does not reload all pictures. After it expires, the newest one is used.
 */
export function StableImage({ src, state, className }: Props) {
  const [stable, setStable] = useState({ src, state });
  if (stable.state !== state) setStable({ src, state });
  return (
    <img
      src={stable.src}
      alt=""
      loading="lazy"
      className={className}
      onError={() => {
        if (stable.src !== src) setStable({ src, state });
      }}
    />
  );
}
