import Library

/// What happens to the links: facts, and the owner's wishes.
public enum LinkInput: Hashable, Sendable {
    /// What BlueZ shows now; nil while there is none.
    case view(LinkView?)
    /// The car whose sink is at the sound server now, if any.
    case sink(CarAddress?)
    /// There is a sound server to ask.
    case soundServer(Bool)
    /// The answer to `LinkEffect.call` of this number.
    case answered(Int, CallOutcome)
    /// A device that wants to pair asks for leave; `LinkEffect.admit` answers.
    case agentAsked(DeviceID)
    /// `request` is named by the `reply` that follows, now or later, once; nil when nobody waits.
    case wish(LinkWish, request: Int?)
    /// The moment of `LinkState.wake` has come.
    case timePassed
}

public enum LinkWish: Hashable, Sendable {
    /// Nil: the car that was used last.
    case connect(CarAddress?)
    /// Nil: the one that is connected. Nothing is called by itself afterwards.
    case disconnect(CarAddress?)
    case forget(CarAddress)
    /// Opens the pairing window. `asks`: each car found is confirmed first.
    case add(asks: Bool)
    /// The answer to `LinkReply.found`.
    case confirm(CarAddress, Bool)
    case closeWindow
}

public enum LinkEffect: Hashable, Sendable {
    /// Switch the adapter on, and lift a soft block if there is one.
    case power(adapter: String)
    /// To be answered by `LinkInput.answered` with its number. There is one at a time.
    case call(Int, DeviceID, Step)
    /// Breaks off a call under way; its answer is of no interest any more.
    case hangUp(DeviceID)
    case trust(DeviceID)
    /// Forget its keys.
    case remove(DeviceID)
    /// Let the sound server use the car for music.
    case chooseMusic(CarAddress)
    /// Search, be found, and answer pairing, on these adapters.
    case openWindow(adapters: [String])
    case closeWindow
    /// The answer to `agentAsked`.
    case admit(DeviceID, Bool)
    /// The cars by their last use, to be known at the next start.
    case remember([CarAddress])
    case reply(Int, LinkReply)
    case tell(LinkMessage)
}

public enum Step: String, Hashable, Sendable {
    case connect, disconnect, pair
    /// The A2DP profile alone.
    case music
    /// The AVRCP profile alone.
    case control
}

public enum CallOutcome: Hashable, Sendable {
    case done
    /// Somebody else, or the car, is at it: as good as done, if the view confirms it.
    case underway
    case failed(CallFailure)
}

public enum CallFailure: Hashable, Sendable {
    /// It does not answer: out of reach or off.
    case absent
    /// It answers and refuses: it has forgotten the box, or pairing was denied there.
    case refused
    /// BlueZ does not know the device any more.
    case gone
    /// The adapter is off.
    case notReady
    /// BlueZ did not answer in time.
    case noAnswer
    case other(String)
}

/// What a wish came to.
public enum LinkReply: Hashable, Sendable {
    case connected(name: String)
    case disconnected(name: String?)
    case forgotten(name: String)
    case windowClosed
    /// To be confirmed.
    case found(CarAddress, name: String)
    case paired(CarAddress, name: String)
    case failed(Reason)

    public enum Reason: Hashable, Sendable {
        case noBlueZ, noAdapter
        /// No paired car has this address, or there is none at all.
        case unknownCar
        case call(CallFailure)
        /// Another car came in meanwhile.
        case gaveWay
        /// Another wish has taken its place, or is in the way.
        case busy
        /// The window closed without a car.
        case nothingFound
        /// It paired and turned out to play no music.
        case noMusic
    }
}

/// What the driver is told.
public enum LinkMessage: Hashable, Sendable {
    case noAudio(name: String)
    case windowOpen
    case paired(name: String)
    case pairingFailed
    /// The car refuses us: it has to be forgotten and paired again.
    case refused(name: String)
}
