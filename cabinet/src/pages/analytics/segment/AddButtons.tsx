import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';

interface Props {
  /** Whether a nested group would be too deep. */
  isDeepest: boolean;
  onDimension: () => void;
  onMetric: () => void;
  onGroup: () => void;
}

/** Buttons that add to a group. */
export function AddButtons({ isDeepest, onDimension, onMetric, onGroup }: Props) {
  const { segments } = useWords();
  return (
    <Buttons>
      <Button kind="quiet" onPress={onDimension}>
        + {segments.addDimension}
      </Button>
      <Button kind="quiet" onPress={onMetric}>
        + {segments.addMetric}
      </Button>
      <Button kind="quiet" isDisabled={isDeepest} onPress={onGroup}>
        + {segments.addGroup}
      </Button>
      {isDeepest && <Hint>{segments.tooDeep}</Hint>}
    </Buttons>
  );
}
